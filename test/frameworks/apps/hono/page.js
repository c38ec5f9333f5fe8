import { findTitle } from "./browser-call.js";

document.querySelector("p").textContent = await findTitle();

"use client";
import { useEffect, useState } from "react";
import { findTitle } from "../../browser-call.js";

export function Title() {
  const [title, setTitle] = useState("");
  useEffect(() => void findTitle().then(setTitle), []);
  return <p>{title}</p>;
}

export default [
  { file: "routes/home.jsx", index: true },
  { file: "routes/catalogue.js", path: "api/catalogue/*" },
];

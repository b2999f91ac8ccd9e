"use strict";
// Every word must occur in an entry or a code, in either language; full-width and upper case alike.
(() => {
  const box = document.querySelector("#search");
  const input = box.querySelector("input");
  const count = box.querySelector("output");
  const fold = text => text.normalize("NFKC").toLowerCase();
  const items = [...document.querySelectorAll("article, tr")].map(node =>
    ({ node, text: fold(node.textContent + " " + (node.dataset.words || "")) }));
  const headings = [...document.querySelectorAll("h2, .contents")];
  const show = () => {
    const words = fold(input.value).split(/\s+/).filter(word => word);
    let found = 0;
    for (const { node, text } of items) {
      node.hidden = !words.every(word => text.includes(word));
      found += !node.hidden;
    }
    for (const heading of headings) heading.hidden = words.length > 0;
    count.textContent = words.length ? found : "";
  };
  const read = () => {
    const asked = /^#q=(.*)$/.exec(location.hash);
    if (asked) { try { input.value = decodeURIComponent(asked[1]); } catch { input.value = asked[1]; } }
    show();
  };
  box.hidden = false;
  input.addEventListener("input", show);
  addEventListener("hashchange", read);
  // A link to an entry that the search has hidden shows it.
  document.addEventListener("click", event => {
    const link = event.target.closest("a[href^='#e']");
    if (link) { input.value = ""; show(); }
  });
  read();
})();

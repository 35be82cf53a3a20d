// A condition shows the fields of the kind that is chosen. Without this script they change with the next button.
for (const condition of document.querySelectorAll("[data-condition]")) {
  const choice = /** @type {HTMLSelectElement | null} */ (condition.querySelector('select[name$=".kind"]'));
  /** @type {NodeListOf<HTMLElement>} */
  const kinds = condition.querySelectorAll("[data-kind]");
  const show = () => kinds.forEach((fields) => {
    fields.hidden = fields.dataset.kind !== choice?.value.replace(/^not-/, "");
  });
  choice?.addEventListener("change", show);
  // A browser that goes back restores the choice, and not what it showed.
  show();
}

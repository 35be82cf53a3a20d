// Shows only the fields of a condition's chosen kind. Without this script they change when a button is pressed.
for (const condition of document.querySelectorAll("[data-condition]")) {
  const choice = /** @type {HTMLSelectElement | null} */ (condition.querySelector('select[name$=".kind"]'));
  /** @type {NodeListOf<HTMLElement>} */
  const kinds = condition.querySelectorAll("[data-kind]");
  const show = () => kinds.forEach((fields) => {
    fields.hidden = fields.dataset.kind !== choice?.value.replace(/^not-/, "");
  });
  choice?.addEventListener("change", show);
  // When the user goes back, a browser restores the choice, but not which fields were hidden.
  show();
}

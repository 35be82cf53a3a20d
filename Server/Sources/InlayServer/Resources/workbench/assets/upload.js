// A field for files, whose choice travels at once. The page brings it switched off: a file chosen before
// its script is there would go nowhere.

/** Switches the field on and calls `take` with what is chosen; it is off meanwhile, and empty afterwards. */
export function onFiles(field, take) {
  field.addEventListener("change", async () => {
    const files = [...field.files];
    if (files.length === 0) return;
    field.disabled = true;
    try {
      await take(files);
    } finally {
      field.disabled = false;
      field.value = "";
    }
  });
  field.disabled = false;
}

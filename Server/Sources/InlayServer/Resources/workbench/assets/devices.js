// The page of an application: a chosen picture travels to the server and becomes its logo.
const place = document.querySelector("[data-logo]");
if (place) {
  const field = place.querySelector("[type=file]"), words = place.querySelector("[data-logo-words]");
  field.addEventListener("change", async () => {
    const [file] = field.files;
    if (!file) return;
    field.disabled = true;
    words.textContent = `Sending ${file.name} …`;
    try {
      const answer = await fetch(place.dataset.logo, {
        method: "PUT", body: file,
        headers: { "Inlay-Form": place.dataset.formToken, "Inlay-Fragment": "upload", "Content-Type": "application/octet-stream" },
      });
      if (answer.ok) { location.reload(); return; }
      words.textContent = "Not taken: a PNG, JPEG or WebP picture of at most 128 KiB.";
    } catch {
      words.textContent = "The server cannot be reached.";
    }
    field.disabled = false;
    field.value = "";
  });
}

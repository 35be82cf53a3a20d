// Replaces an image that cannot be loaded by its alternative text.

document.addEventListener('error', event => {
  const image = event.target;
  if (!(image instanceof HTMLImageElement) || !image.closest('.media')) return;
  const label = document.createElement('span');
  label.className = 'media-missing';
  label.textContent = image.alt;
  image.replaceWith(label);
}, true);

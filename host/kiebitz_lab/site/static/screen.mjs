// Draws the pixels of a display on a canvas: each one is a whole number of pixels of the glass, at every size.

export class Screen {
  #canvas;
  #last;
  #times = 1;

  constructor(canvas) { this.#canvas = canvas; }

  // The largest whole factor for a display this many pixels wide and high that fits into a room, given in CSS pixels.
  fit(width, height, roomWidth, roomHeight) {
    const ratio = devicePixelRatio || 1;
    this.#times = Math.max(1, Math.floor(Math.min((roomWidth * ratio) / width, (roomHeight * ratio) / height)));
    this.#canvas.width = width * this.#times;
    this.#canvas.height = height * this.#times;
    const size = { width: this.#canvas.width / ratio, height: this.#canvas.height / ratio };
    this.#canvas.style.width = `${size.width}px`;
    this.#canvas.style.height = `${size.height}px`;
    if (this.#last?.width === width) this.draw(this.#last);
    return size;
  }

  draw(shown) {
    this.#last = shown;
    const small = new OffscreenCanvas(shown.width, shown.height);
    small.getContext("2d").putImageData(new ImageData(shown.picture, shown.width, shown.height), 0, 0);
    const context = this.#canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, this.#canvas.width, this.#canvas.height);
    this.#canvas.style.opacity = shown.light ?? 1;
  }
}

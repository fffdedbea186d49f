// The spectrum of a curve: amplitudes over frequency by the fast Fourier transform (Cooley and Tukey 1965), with Hann's window.

/** Most points of a transform. */
const LONGEST = 65536;

/** In place; the length is a power of two. */
const transform = (re, im) => {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    for (let k = 0; k < size / 2; k += 1) {
      const c = Math.cos(2 * Math.PI * k / size), s = -Math.sin(2 * Math.PI * k / size);
      for (let i = k; i < n; i += size) {
        const j = i + size / 2, a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
        [re[j], im[j], re[i], im[i]] = [re[i] - a, im[i] - b, re[i] + a, im[i] + b];
      }
    }
  }
};

/** `count` values at even distances, on straight lines between the points. */
const evenly = (x, y, count) => {
  const step = (x[x.length - 1] - x[0]) / count;
  let k = 0;
  return Float64Array.from({ length: count }, (_, i) => {
    const at = x[0] + i * step;
    while (k + 2 < x.length && x[k + 1] <= at) k += 1;
    const part = x[k + 1] > x[k] ? (at - x[k]) / (x[k + 1] - x[k]) : 0;
    return y[k] + part * (y[k + 1] - y[k]);
  });
};

/** Frequencies and amplitudes of what varies about the mean; a sine of amplitude a on a line of the spectrum gives a. */
const spectrum = (x, y) => {
  const kept = [...x.keys()].filter((i) => Number.isFinite(y[i]));
  if (kept.length < 4) return [[], []];
  const count = Math.min(LONGEST, 2 ** Math.ceil(Math.log2(kept.length - 1)));
  const [places, values] = [kept.map((i) => x[i]), kept.map((i) => y[i])];
  const span = places[places.length - 1] - places[0];
  if (!(span > 0)) return [[], []];
  const re = evenly(places, values, count), im = new Float64Array(count);
  const mean = re.reduce((sum, value) => sum + value, 0) / count;
  for (let i = 0; i < count; i += 1) re[i] = (re[i] - mean) * (0.5 - 0.5 * Math.cos(2 * Math.PI * i / count));
  transform(re, im);
  // The window has the mean 1/2, and half of an amplitude is at the negative frequency.
  const lines = Array.from({ length: count / 2 - 1 }, (_, k) => k + 1);
  return [lines.map((k) => k / span), lines.map((k) => 4 / count * Math.hypot(re[k], im[k]))];
};

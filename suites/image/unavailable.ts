/** The image did not become a server that can be checked; the message is for the person at the terminal. */
export class ImageUnavailable extends Error {
  override readonly name = 'ImageUnavailable';
}

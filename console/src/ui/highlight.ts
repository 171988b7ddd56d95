/** Colours code by its language. It is a large library, loaded with the first block of code. */
export { default as highlight } from 'rehype-highlight';

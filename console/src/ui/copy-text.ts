import { notify } from './toasts.tsx';

/** Copies a text and tells so. @param told such as `Copied as curl.` */
export function copyText(text: string, told = 'Copied.'): void {
  navigator.clipboard.writeText(text).then(
    () => notify(told),
    () => notify('The browser did not allow copying.', 'bad'),
  );
}

import { signal } from '@preact/signals';

/** A short message that something is done, for 6 seconds. */
export const told = signal('');

let timer: ReturnType<typeof setTimeout> | undefined;

const forget = () => {
  told.value = '';
};

export const tell = (text: string): void => {
  clearTimeout(timer);
  told.value = text;
  timer = setTimeout(forget, 6_000);
};

/** The message stays while somebody is at it. */
export const hold = (): void => clearTimeout(timer);
export const letGo = (): void => {
  timer = setTimeout(forget, 2_000);
};

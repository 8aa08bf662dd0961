import { signal } from '@preact/signals';

/** A short message that something is done or could not be done; empty without one. */
export const message = signal('');
export const tone = signal<'good' | 'warn'>('good');

let timer: ReturnType<typeof setTimeout> | undefined;

const clearMessage = () => {
  message.value = '';
};

const clearAfter = (milliseconds: number): void => {
  clearTimeout(timer);
  timer = setTimeout(clearMessage, milliseconds);
};

/** Shows a message for some seconds. */
export const showToast = (text: string, newTone: 'good' | 'warn' = 'good'): void => {
  message.value = text;
  tone.value = newTone;
  clearAfter(6_000);
};

/** Keeps the message while the pointer is on it. */
export const keepMessage = (): void => clearTimeout(timer);
export const releaseMessage = (): void => clearAfter(2_000);

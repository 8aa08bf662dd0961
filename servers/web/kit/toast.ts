import { signal } from '@preact/signals';

/** A short message that something is done or could not be done. `at`: when it was shown, as a key. */
interface Message {
  readonly text: string;
  readonly tone: 'good' | 'warn';
  readonly at: number;
}

export const message = signal<Message | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

const clearAfter = (milliseconds: number): void => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    message.value = null;
  }, milliseconds);
};

/** Shows a message for some seconds. */
export const showToast = (text: string, tone: Message['tone'] = 'good'): void => {
  message.value = { text, tone, at: Date.now() };
  clearAfter(6_000);
};

/** Keeps the message while the pointer is on it. */
export const keepMessage = (): void => clearTimeout(timer);
/** Hides the message soon after the pointer has left it. */
export const releaseMessage = (): void => clearAfter(2_000);

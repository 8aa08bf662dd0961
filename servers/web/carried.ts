import { signal } from '@preact/signals';

/** What one page of the way in hands to the next. In memory alone: a reload forgets it, the password first of all. */
interface Carried {
  readonly email: string;
  readonly password: string;
  /** Connects an account elsewhere with the one that is signed in to next. */
  readonly linkToken: string;
}

export const carried = signal<Partial<Carried>>({});

/** What the sign-in page says about what was done before. */
export const news = signal<'passwordSet' | 'deleted' | 'undone' | 'verified' | null>(null);

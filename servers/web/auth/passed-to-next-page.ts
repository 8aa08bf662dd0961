import { signal } from '@preact/signals';

/** Values that one sign-in page passes to the next, in memory only: a reload must forget them, above all the password. */
interface PassedValues {
  readonly email: string;
  readonly password: string;
  /** Links an identity to the account that signs in next. */
  readonly linkToken: string;
}

export const passedValues = signal<Partial<PassedValues>>({});

/** The success message of the previous page, which the sign-in page shows. */
export const news = signal<'passwordSet' | 'undone' | 'verified' | null>(null);

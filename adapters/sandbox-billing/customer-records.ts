import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignedDelivery } from '../../core/billing/ports.ts';
import { addSecretFile, changeSecretFile } from '../files/secret-file.ts';

/** A subscription as the sandbox stores it. Times are epoch milliseconds. */
export interface SandboxSubscription {
  readonly id: string;
  readonly checkoutId: string;
  readonly productId: string;
  readonly status: 'incomplete' | 'active' | 'canceled';
  readonly createdAt: number;
  readonly modifiedAt: number | null;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAt: number | null;
  readonly endedAt: number | null;
}

/** The sandbox's record of one customer. */
export interface Book {
  readonly customerId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly createdAt: number;
  /** Whether the event `customer.created` was sent. The stored field keeps its earlier name. */
  readonly told: boolean;
  readonly subscriptions: readonly SandboxSubscription[];
  /** Events that billing may not have received yet, in order. Books of older versions have no list. */
  readonly events?: readonly SignedDelivery[];
}

/** The customers of the sandbox. */
export interface Books {
  find(userId: string): Promise<Book | undefined>;
  /** The customer's book; made if there is none. */
  open(customer: Customer, now: number): Promise<Book>;
  /** Changes a book, one change at a time. Undefined if there is no book. */
  change(userId: string, make: (book: Book) => Book): Promise<Book | undefined>;
  remove(userId: string): Promise<void>;
}

type Customer = Pick<Book, 'userId' | 'email' | 'name'>;

const newBook = ({ userId, email, name }: Customer, now: number): Book => ({
  customerId: randomUUID(),
  userId,
  email,
  name,
  createdAt: now,
  told: false,
  subscriptions: [],
});

const USER = /^[0-9a-f-]{36}$/;

/** One file for each customer in the folder, shared by all processes of the machine. */
export const makeBooks = (folder: string): Books => {
  const fileOf = (userId: string): string => {
    if (!USER.test(userId)) throw new TypeError('Not a user id.');
    return join(folder, `${userId}.json`);
  };

  const find = async (userId: string): Promise<Book | undefined> => {
    const text = await readFile(fileOf(userId), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : (JSON.parse(text) as Book);
  };

  return {
    find,
    open: async (customer, now) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const book = newBook(customer, now);
      await addSecretFile(fileOf(customer.userId), JSON.stringify(book));
      return (await find(customer.userId)) ?? book;
    },
    change: async (userId, make) => {
      if ((await find(userId)) === undefined) return undefined;
      const text = await changeSecretFile(fileOf(userId), (before) =>
        JSON.stringify(make(JSON.parse(before) as Book)),
      );
      return JSON.parse(text) as Book;
    },
    remove: (userId: string) => rm(fileOf(userId), { force: true }),
  };
};

/** Books in memory. */
export const makeMemoryBooks = (): Books => {
  const books = new Map<string, Book>();
  const put = (book: Book): Book => {
    books.set(book.userId, book);
    return book;
  };
  return {
    find: async (userId) => books.get(userId),
    open: async (customer, now) => books.get(customer.userId) ?? put(newBook(customer, now)),
    change: async (userId, make) => {
      const book = books.get(userId);
      return book && put(make(book));
    },
    remove: async (userId) => {
      books.delete(userId);
    },
  };
};

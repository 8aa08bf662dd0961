import { Readable } from 'node:stream';
import type { FilePage } from '../../core/index.ts';
import { okText, type ResponseBody } from '../http/response-body.ts';

/** The items of a page, at least one, each as JSON text. */
type Items = readonly string[];
type Pages = AsyncGenerator<Items, void>;

/** Characters from which a list is streamed. A shorter list is sent in one piece, which takes a third of the time. */
const STREAMED_FROM = 65_536;

async function* textOf(firstPages: readonly Items[], pages: Pages): AsyncGenerator<string> {
  yield `{"files":[${firstPages.flat().join()}`;
  for await (const page of pages) yield `,${page.join()}`;
  yield ']}';
}

/** The complete list. A long list is streamed, once its first pages have been read without an error. */
export const answerAll = async (pages: Pages): Promise<ResponseBody<FilePage>> => {
  const firstPages: Items[] = [];
  let length = 0;
  // A single page is sent in one piece, whatever its length.
  while (length < STREAMED_FROM || firstPages.length < 2) {
    const page = await pages.next();
    if (page.done) return okText(`{"files":[${firstPages.flat().join()}]}`);
    firstPages.push(page.value);
    length += page.value.reduce((sum, item) => sum + item.length, 0);
  }
  const text = Readable.from(textOf(firstPages, pages));
  // Ends `pages` even if nobody reads the stream, as for a HEAD or a client that is gone: the loop in `textOf` ends `pages` only
  // if it has begun. `return` cannot fail, since `pages` has no `finally`.
  text.once('close', () => void pages.return());
  return okText(text);
};

export const answerPage = ({ files, cursor }: FilePage<string>): ResponseBody<FilePage> =>
  okText(`{"files":[${files.join()}]${cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`}}`);

import { Readable } from 'node:stream';
import type { FilePage } from '../../core/index.ts';
import { okText, type ResponseBody } from '../http/response-body.ts';

/** The items of a list, each as JSON text. */
type Items = readonly string[];
type Pages = AsyncGenerator<Items, void>;

/** The most characters of a list that is sent in one piece, which takes a third of the time of a stream. */
const ONE_PIECE = 65_536;

async function* textOf(former: readonly Items[], pages: Pages): AsyncGenerator<string> {
  yield `{"files":[${former.flat().join()}`;
  for await (const page of pages) yield `,${page.join()}`;
  yield ']}';
}

/** The complete list. A long one is streamed, once its first page has been read without an error. */
export const answerAll = async (pages: Pages): Promise<ResponseBody<FilePage>> => {
  const former: Items[] = [];
  let length = 0;
  // A single page is sent in one piece, whatever its length.
  while (length < ONE_PIECE || former.length < 2) {
    const page = await pages.next();
    if (page.done) return okText(`{"files":[${former.flat().join()}]}`);
    former.push(page.value);
    length += page.value.reduce((sum, item) => sum + item.length, 0);
  }
  const text = Readable.from(textOf(former, pages));
  // Ends the stream even if nobody reads it: the client may be gone, or the request is a HEAD.
  // A generator without a `finally` has nothing that could fail then.
  text.once('close', () => void pages.return());
  return okText(text);
};

/** One page of a list. */
export const answerPage = ({ files, cursor }: FilePage<string>): ResponseBody<FilePage> =>
  okText(`{"files":[${files.join()}]${cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`}}`);

import { shownTime } from '../text/language.ts';

/** A time in UTC, to the minute. */
export const utc = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** A time in UTC, with the local one in its title. */
export const Time = ({ at }: { readonly at: string | null }) =>
  at === null ? (
    <>–</>
  ) : (
    <time dateTime={at} title={shownTime(at)} class="time">
      {utc(at)}
    </time>
  );

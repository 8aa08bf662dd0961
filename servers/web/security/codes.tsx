import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/parts.tsx';
import { guardLeaving } from '../router.ts';
import { t } from '../text/language.ts';

const download = (name: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
};

/** Recovery codes, which are shown once: nobody leaves them by mistake. */
export const Codes = ({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}) => {
  const saved = useSignal(false);
  const { setup } = t();
  const text = `${codes.join('\n')}\n`;
  useEffect(() => guardLeaving(() => saved.value), []);
  return (
    <>
      <p>{setup.codesText}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="row no-print">
        <Copy text={text} />
        <Button kind="plain" onPress={() => download(setup.fileName, text)}>
          {setup.download}
        </Button>
        <Button kind="plain" onPress={() => print()}>
          {setup.print}
        </Button>
      </div>
      <label class="check no-print">
        <input
          type="checkbox"
          checked={saved.value}
          onChange={(event) => {
            saved.value = event.currentTarget.checked;
          }}
        />
        {setup.saved}
      </label>
      <Button disabled={!saved.value} onPress={onDone}>
        {setup.done}
      </Button>
    </>
  );
};

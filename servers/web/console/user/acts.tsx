import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { lazyPiece } from '../../kit/load.tsx';
import { Failed } from '../../kit/parts.tsx';
import { self } from '../session.ts';
import type { User } from '../shapes.ts';
import { c } from '../text.ts';
import type { ActProps } from './act-dialog.tsx';
import { ACTS, type Act } from './act-list.ts';

export interface ActsProps {
  readonly user: User;
  readonly onDone: (user: User) => void;
  readonly onGone: (receipt: object) => void;
  readonly reread: () => Promise<void>;
}

const Buttons = ({
  acts,
  onChoose,
}: {
  readonly acts: readonly Act[];
  readonly onChoose: (act: Act) => void;
}) => {
  const { list } = c().acts;
  return (
    <div class="row acts">
      {acts.map((act) => (
        <Button key={act.name} kind={act.isGrave ? 'danger' : 'plain'} onPress={() => onChoose(act)}>
          {list[act.name].name}
        </Button>
      ))}
    </div>
  );
};

const loadDialog = lazyPiece(() => import('./act-dialog.tsx'));
type Loaded = Awaited<ReturnType<typeof loadDialog>>;

/** The dialog of an act, which is loaded when one is chosen. */
const ChosenAct = (props: ActProps) => {
  const loaded = useSignal<Loaded | undefined>(undefined);
  const load = async () => {
    loaded.value = await loadDialog();
  };
  useEffect(() => void load(), []);
  if (loaded.value === undefined) return null;
  if (loaded.value.problem !== undefined) return <Failed problem={loaded.value.problem} onRetry={load} />;
  const { ActDialog } = loaded.value.data;
  return <ActDialog {...props} />;
};

/** Everything that can be done to a user, in one place. On narrow screens it is folded up. */
export const Acts = (props: ActsProps) => {
  const openAct = useSignal<Act | null>(null);
  const { acts: texts } = c();
  const fitting = ACTS.filter(({ fits }) => fits(props.user));
  const ofFounders = fitting.filter(({ forFounders }) => forFounders);
  const choose = (act: Act) => {
    openAct.value = act;
  };
  return (
    <section class="card" aria-labelledby="acts">
      <details class="sheet" open={matchMedia('(min-width: 720px)').matches}>
        <summary>
          <h2 id="acts">{texts.title}</h2>
        </summary>
        <div class="stack">
          <Buttons acts={fitting.filter(({ forFounders }) => !forFounders)} onChoose={choose} />
          {self.value?.role !== 'founder' || ofFounders.length === 0 ? null : (
            <>
              <h3>{texts.forFounders}</h3>
              <Buttons acts={ofFounders} onChoose={choose} />
            </>
          )}
        </div>
      </details>
      {openAct.value === null ? null : (
        <ChosenAct
          {...props}
          act={openAct.value}
          onClose={() => {
            openAct.value = null;
          }}
        />
      )}
    </section>
  );
};

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { t } from '../text/language.ts';

/** Pixels of the canvas, and of a step by key. */
const SIZE = 512;
const STEP = 16;
/** At zoom 1 the shorter side of the picture fills the square. */
const LARGEST_ZOOM = 4;

interface CropProps {
  readonly file: File;
  readonly onUse: (picture: Blob) => Promise<void>;
  readonly onClose: () => void;
}

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

const toBlob = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, 0.9);
  });

/** Cuts a square out of a picture, which the pointer, keys and buttons move or zoom. */
export const Crop = ({ file, onUse, onClose }: CropProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useSignal<ImageBitmap | null>(null);
  const zoom = useSignal(1);
  /** How far the middle of the picture is from that of the square, in pixels of the canvas. */
  const offset = useSignal({ x: 0, y: 0 });
  const { profile } = t();

  const draw = () => {
    const bitmap = picture.value;
    const context = canvas.current?.getContext('2d');
    if (bitmap === null || !context) return;
    const scale = (SIZE / Math.min(bitmap.width, bitmap.height)) * zoom.value;
    const width = bitmap.width * scale;
    const height = bitmap.height * scale;
    const mostX = (width - SIZE) / 2;
    const mostY = (height - SIZE) / 2;
    offset.value = {
      x: within(offset.value.x, -mostX, mostX),
      y: within(offset.value.y, -mostY, mostY),
    };
    context.clearRect(0, 0, SIZE, SIZE);
    context.drawImage(bitmap, offset.value.x - mostX, offset.value.y - mostY, width, height);
  };
  // A file that cannot be read is uploaded as it is, but not after a cancel. Preact cleans up a `useEffect` only after the next
  // paint: until then a failed reading would still upload the file.
  useLayoutEffect(() => {
    let isUnmounted = false;
    const load = async () => {
      const bitmap = await createImageBitmap(file).catch(() => null);
      if (isUnmounted) bitmap?.close();
      else if (bitmap === null)
        // The server reports what is wrong with the file.
        await onUse(file);
      else {
        picture.value = bitmap;
        draw();
      }
    };
    void load();
    return () => {
      isUnmounted = true;
      picture.value?.close();
    };
  }, []);

  const move = (x: number, y: number) => {
    offset.value = { x: offset.value.x + x, y: offset.value.y + y };
    draw();
  };
  const resize = (by: number) => {
    zoom.value = within(zoom.value + by, 1, LARGEST_ZOOM);
    draw();
  };
  const KEYS: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(-STEP, 0),
    ArrowRight: () => move(STEP, 0),
    ArrowUp: () => move(0, -STEP),
    ArrowDown: () => move(0, STEP),
    '+': () => resize(0.1),
    '-': () => resize(-0.1),
  };
  const use = async () => {
    if (canvas.current === null) return;
    const webp = await toBlob(canvas.current, 'image/webp');
    // A browser without WebP encoding returns a PNG instead.
    const blob = webp?.type === 'image/webp' ? webp : await toBlob(canvas.current, 'image/jpeg');
    await onUse(blob ?? file);
  };
  return (
    <Dialog title={profile.crop} onClose={onClose}>
      <div class="crop">
        <canvas
          ref={canvas}
          width={SIZE}
          height={SIZE}
          tabIndex={0}
          role="img"
          aria-label={`${profile.cropHint} ${profile.cropKeys}`}
          onKeyDown={(event) => {
            const handler = KEYS[event.key];
            if (handler === undefined) return;
            event.preventDefault();
            handler();
          }}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => {
            const shownSize = event.currentTarget.clientWidth || SIZE;
            if (event.buttons === 1)
              move((event.movementX * SIZE) / shownSize, (event.movementY * SIZE) / shownSize);
          }}
        />
      </div>
      <p class="muted small">
        {profile.cropHint} <span class="no-touch">{profile.cropKeys}</span>
      </p>
      <div class="zoom">
        <Button kind="quiet" label={profile.smaller} onPress={() => resize(-0.1)}>
          −
        </Button>
        <input
          type="range"
          aria-label={profile.zoom}
          min="1"
          max={LARGEST_ZOOM}
          step="0.1"
          value={zoom.value}
          onInput={(event) => resize(Number(event.currentTarget.value) - zoom.value)}
        />
        <Button kind="quiet" label={profile.larger} onPress={() => resize(0.1)}>
          +
        </Button>
      </div>
      <div class="row">
        <Button disabled={picture.value === null} onPress={use}>
          {profile.use}
        </Button>
        <Button kind="plain" onPress={() => onUse(file)}>
          {profile.useWhole}
        </Button>
        <Button kind="link" onPress={onClose}>
          {t().kit.cancel}
        </Button>
      </div>
    </Dialog>
  );
};

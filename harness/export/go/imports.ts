/** The imports of a Go test, as gofmt leaves them. */

import { FORKS } from '../../../src/chain/config.ts';
import type { TestCase } from '../test-case.ts';

const OPTIMISM = 'github.com/ethereum-optimism/optimism';
const GETH = 'github.com/ethereum/go-ethereum';

export function imports({ boundary, mayHoldSpans, hasItems, vector }: TestCase): string {
  const usesForks = FORKS.some((fork) => vector.config.forks[fork] !== null);
  const block = (paths: readonly string[]) => paths.map((path) => `\t${path}`).join('\n');
  const standard = ['context', 'encoding/binary', 'errors', 'fmt', 'io', 'log/slog', 'math/big'];
  if (hasItems) standard.push('strings');
  standard.push('testing');
  const geth = [
    GETH,
    `${GETH}/common`,
    ...(mayHoldSpans ? [`${GETH}/core/types`] : []),
    `${GETH}/crypto`,
    ...(boundary === 'batches' ? [`${GETH}/rlp`] : []),
  ];
  const optimism = [
    `"${OPTIMISM}/op-core/forks"`,
    `optypes "${OPTIMISM}/op-core/types"`,
    `"${OPTIMISM}/op-node/rollup"`,
    `"${OPTIMISM}/op-node/rollup/derive"`,
    `"${OPTIMISM}/op-service/eth"`,
    ...(usesForks ? [`"${OPTIMISM}/op-service/ptr"`] : []),
    `"${OPTIMISM}/op-service/testlog"`,
    `"${OPTIMISM}/op-service/testutils"`,
  ];
  const quoted = (path: string) => `"${path}"`;
  return `import (
${block(standard.map(quoted))}

	"github.com/stretchr/testify/require"

${block(geth.map(quoted))}

${block(optimism)}
)
`;
}

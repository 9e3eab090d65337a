import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules', '.build', 'coverage', 'dist', 'api', '*.config.ts', '*.config.js', '**/*.mjs', 'harness/implementations/fixtures'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // An index that was checked, or an array that cannot be empty, is asserted: the reason stands beside it.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // It does not see that a method changes the field that is asked for next.
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
);

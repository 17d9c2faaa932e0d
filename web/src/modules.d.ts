declare module '*.graphql?raw' {
  const text: string
  export default text
}

declare module '*.glsl?raw' {
  const text: string
  export default text
}

// The tags of selected memories.

/** A memory has at most so many tags. */
export const MAX_TAGS = 64

/** The tags with one more; the same list if it has the tag. */
export function withTag(tags: readonly string[], tag: string): readonly string[] {
  return tags.includes(tag) ? tags : [...tags, tag]
}

/** What is wrong with a new tag for memories that have these tags; "": nothing. */
export function tagFault(tag: string, tagsOfEach: readonly (readonly string[])[]): string {
  if (tag === '') return 'Type a tag.'
  const full = tagsOfEach.filter((tags) => withTag(tags, tag).length > MAX_TAGS).length
  return full === 0 ? '' : `${full === 1 ? 'One memory has' : `${full.toLocaleString('en')} memories have`} ${MAX_TAGS} tags already, which is the most.`
}

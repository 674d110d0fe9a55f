export { EXTERNAL_NAME } from '@weft/composition'

/** Which resource of a state file an object was imported from. */
export const ADDRESS = 'terraform.weft.dev/imported-from'
/** The line of states that it was of, where the file says. */
export const LINEAGE = 'terraform.weft.dev/imported-lineage'
/** While an import is under way: nobody may look at the object before its state is there. */
export const IMPORTING = 'terraform.weft.dev/importing'

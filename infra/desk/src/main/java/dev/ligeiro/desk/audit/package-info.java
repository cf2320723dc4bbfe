/** The audit: who has changed what, and who has read personal data. Handlers tell it more by {@link dev.ligeiro.desk.audit.Audited}. */
@NullMarked
package dev.ligeiro.desk.audit;

import org.jspecify.annotations.NullMarked;

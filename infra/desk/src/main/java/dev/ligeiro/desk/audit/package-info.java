/** The audit: who has changed what, and who has read personal data. {@link dev.ligeiro.desk.audit.Audit} and {@link dev.ligeiro.desk.audit.Audited} are for all others. */
@NullMarked
package dev.ligeiro.desk.audit;

import org.jspecify.annotations.NullMarked;

/**
 * What banks report by themselves, as commands of their transactions: their notices over a port of its own, and what their lists have, in case
 * a notice was lost. A report is only a hint; the rail is asked before anything changes. It reads accounts of {@code rail}, leaves
 * out what {@code apply} has stored, and publishes by {@code rail}.
 */
@NullMarked
package dev.ligeiro.processor.notice;

import org.jspecify.annotations.NullMarked;

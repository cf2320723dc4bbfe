/**
 * Compares what the merchant's side noted with what MongoDB holds: no figure counts without it.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.audit;

import org.jspecify.annotations.NullMarked;

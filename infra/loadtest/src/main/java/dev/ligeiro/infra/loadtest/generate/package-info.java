/**
 * The merchant's side: makes calls at a given pace over keep-alive connections and notes how each was answered.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.generate;

import org.jspecify.annotations.NullMarked;

/**
 * The system under test: started by {@code infra/run}, or one that is running already.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.system;

import org.jspecify.annotations.NullMarked;

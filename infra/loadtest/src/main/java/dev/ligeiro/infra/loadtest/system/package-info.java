/**
 * The system under load: started by {@code infra/run}, or one that runs already.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.system;

import org.jspecify.annotations.NullMarked;

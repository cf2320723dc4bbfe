/**
 * What every command needs: the running system with a merchant of the run, a load in a measured window, and progress at the terminal. The
 * commands call in; it calls the merchant and the system.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.run;

import org.jspecify.annotations.NullMarked;

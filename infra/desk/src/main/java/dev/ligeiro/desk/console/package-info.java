/** The merchants' console: pages over the gateway's public API, and nothing else. */
@NullMarked
package dev.ligeiro.desk.console;

import org.jspecify.annotations.NullMarked;

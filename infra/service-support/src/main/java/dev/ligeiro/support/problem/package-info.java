/** What went wrong with a request, as gateway and desk answer it (RFC 9457). Both have a table of their own from exceptions to problems. */
@NullMarked
package dev.ligeiro.support.problem;

import org.jspecify.annotations.NullMarked;

/** What every route of the desk uses: bodies, problems, request ids. */
@NullMarked
package dev.ligeiro.desk.http;

import org.jspecify.annotations.NullMarked;

/** {@code infra/admin}, which is made of the desk's OpenAPI document. */
@NullMarked
package dev.ligeiro.desk.command;

import org.jspecify.annotations.NullMarked;

/** An OpenID provider for the tests of the sign-in. */
@NullMarked
package dev.ligeiro.provider;

import org.jspecify.annotations.NullMarked;

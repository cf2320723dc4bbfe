@NullMarked
package dev.ligeiro.dispatcher.http;

import org.jspecify.annotations.NullMarked;

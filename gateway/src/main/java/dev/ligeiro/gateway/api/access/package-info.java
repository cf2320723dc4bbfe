/** Who can get into a merchant's console: its sessions, and the keys that make them. Called over HTTP and by the console; calls MongoDB. */
@NullMarked
package dev.ligeiro.gateway.api.access;

import org.jspecify.annotations.NullMarked;

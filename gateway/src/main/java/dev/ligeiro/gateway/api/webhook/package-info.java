/**
 * Registers and changes the webhook endpoints of merchants, encrypts their secrets, lists their deliveries, schedules one or many of them
 * again. The dispatcher delivers. Called over HTTP; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.api.webhook;

import org.jspecify.annotations.NullMarked;

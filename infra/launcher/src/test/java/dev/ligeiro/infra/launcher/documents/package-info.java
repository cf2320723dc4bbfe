/**
 * The documents (*.md), alerts and boards name only what exists: links, files, settings, metrics, log lines, routes, runbooks. Calls nothing of
 * Ligeiro but reads its files.
 */
@NullMarked
package dev.ligeiro.infra.launcher.documents;

import org.jspecify.annotations.NullMarked;

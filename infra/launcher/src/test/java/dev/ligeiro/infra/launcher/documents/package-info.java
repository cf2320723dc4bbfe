/** What the documents (*.md) say about names, links and settings is compared with the code. */
@NullMarked
package dev.ligeiro.infra.launcher.documents;

import org.jspecify.annotations.NullMarked;

package dev.ligeiro.processor.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** The folder or bucket of the archive. Its files have names with slashes. Calls block. */
interface ArchiveFiles {

    /** Stores a file, in place of an earlier one with its name. It is durable then. */
    void write(String name, Path content) throws IOException;

    /** The content of a file. */
    InputStream open(String name) throws IOException;
}

package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.nio.file.Path;

/** Clearing away, which is not worth failing for. */
final class Folders {

    private Folders() {}

    /** Deletes it with all that is in it, if it is there; says so where that cannot be done. */
    static void delete(Path path) {
        try {
            DeepDelete.delete(path);
        } catch (IOException e) {
            Console.report("%s is left: %s".formatted(path, e));
        }
    }
}

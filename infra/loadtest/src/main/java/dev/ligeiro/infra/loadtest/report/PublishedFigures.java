package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.system.CannotRunException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reports in {@code infra/loadtest/figures}, and the documents whose figures are generated from them. */
public final class PublishedFigures {

    private final Path readme;
    private final Path page;
    private final Path reports;

    public PublishedFigures(Path root) {
        this.readme = root.resolve("README.md");
        this.page = root.resolve("infra/loadtest/README.md");
        this.reports = page.resolveSibling("figures");
    }

    /**
     * Copies the report to the folder, in place of an earlier one of the same name, and rewrites the documents.
     *
     * @throws CannotRunException when an audit of the report failed
     */
    public void publish(Path reportFile) {
        Report report = Report.parse(read(reportFile));
        if (!report.valid()) {
            throw new CannotRunException(reportFile + ": an audit failed, so no figure is valid");
        }
        write(reports.resolve(report.name() + ".json"), report.json());
        documents().forEach(PublishedFigures::write);
    }

    /** The documents by file, as they must be. */
    Map<Path, String> documents() {
        List<Report> all = reports();
        String headline =
                Tables.headline(all).orElseThrow(() -> new CannotRunException("no report of the scenario pay"));
        String figures = all.stream().map(Tables::figures).collect(Collectors.joining("\n"));
        return Map.of(
                readme, replaced(readme, "headline", headline),
                page, replaced(page, "figures", figures));
    }

    /** The document with this content between the lines {@code <!-- NAME: … -->} and {@code <!-- end of NAME -->}. */
    private static String replaced(Path file, String name, String content) {
        String document = read(file);
        int begin = document.indexOf("<!-- " + name + ": ");
        int end = document.indexOf("<!-- end of " + name + " -->");
        if (begin < 0 || end < begin) {
            throw new CannotRunException(file + ": the two comment lines around the " + name + " are missing");
        }
        return document.substring(0, document.indexOf('\n', begin) + 1) + content + document.substring(end);
    }

    private List<Report> reports() {
        try (Stream<Path> files = Files.list(reports)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(file -> Report.parse(read(file)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new CannotRunException(file + " cannot be read: " + e, e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            System.out.println("written   " + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

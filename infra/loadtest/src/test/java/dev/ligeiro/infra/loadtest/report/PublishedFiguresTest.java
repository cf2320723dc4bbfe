package dev.ligeiro.infra.loadtest.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.LoadTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures in the documents are those of the committed reports: infra/loadtest/run --figures REPORT writes both. */
class PublishedFiguresTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @Test
    void theDocumentsShowTheCommittedReports() {
        assertThat(new PublishedFigures(ROOT).documents()).isNotEmpty().allSatisfy((file, text) -> assertThat(file)
                .hasContent(text));
    }

    @Test
    void aReportIsPublishedIntoEveryDocument(@TempDir Path copy) throws Exception {
        Files.createDirectories(copy.resolve("infra/loadtest"));
        Files.writeString(copy.resolve("README.md"), "a\n<!-- headline: x -->\nold\n<!-- end of headline -->\nb\n");
        Files.writeString(
                copy.resolve("infra/loadtest/README.md"), "a\n<!-- figures: x -->\nold\n<!-- end of figures -->\nb\n");
        Path report = committedReport();

        assertThat(LoadTest.run(copy, "--figures", report.toString())).isZero();

        assertThat(copy.resolve("infra/loadtest/figures").resolve(report.getFileName()))
                .hasSameTextualContentAs(report);
        assertThat(copy.resolve("README.md"))
                .content()
                .startsWith("a\n<!-- headline: x -->\nThe last full run")
                .endsWith("<!-- end of headline -->\nb\n")
                .doesNotContain("\nold\n");
        assertThat(copy.resolve("infra/loadtest/README.md"))
                .content()
                .contains("| CPU µs each")
                .doesNotContain("\nold\n");
    }

    @Test
    void aReportWithAFailedAuditIsRefused(@TempDir Path folder) throws Exception {
        String failed = Files.readString(committedReport()).replace("\"valid\" : true", "\"valid\" : false");
        Path file = Files.writeString(folder.resolve("loadtest.json"), failed);

        assertThat(LoadTest.run(folder, "--figures", file.toString())).isEqualTo(2);
    }

    private static Path committedReport() throws IOException {
        try (Stream<Path> reports = Files.list(ROOT.resolve("infra/loadtest/figures"))) {
            return reports.filter(file -> file.toString().contains("pay"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}

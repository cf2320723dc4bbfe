package dev.ligeiro.processor.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.processor.retain.RetentionProperties;
import java.time.Duration;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ArchivePropertiesTest {

    private static final ArchiveProperties.S3 S3 = new ArchiveProperties.S3(null, "us-east-1", false);

    @ParameterizedTest
    @CsvSource({
        "13, 389, 0, true",
        "13, 390, 0, false",
        "13, , 0, false",
        "13, 90, 390, false",
        "24, 390, 400, true",
        ", , 0, true"
    })
    void aMonthLeavesAfterItsPersonalData(
            @Nullable Integer months, @Nullable Integer days, int legalDays, boolean isPermitted) {
        ArchiveProperties archive = new ArchiveProperties(months, "file:/a", 1_000, 50_000, S3);
        RetentionProperties retention = new RetentionProperties(days, Duration.ofDays(legalDays), 500);

        if (isPermitted) {
            assertThat(archive.requireAfter(retention)).isSameAs(archive);
        } else {
            assertThatThrownBy(() -> archive.requireAfter(retention))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ligeiro.archive.months: 13")
                    .hasMessageContaining("ligeiro.retention.days");
        }
    }

    @Test
    void monthsNeedADestination() {
        assertThatThrownBy(() -> new ArchiveProperties(13, null, 1_000, 50_000, S3))
                .hasMessageContaining("ligeiro.archive.to");
    }

    @Test
    void aMonthLeavesSoManyMonthsAfterItsEnd() {
        assertThat(new ArchiveProperties(13, "file:/a", 1, 1, S3).leavesAt(YearMonth.of(2025, 2)))
                .isEqualTo("2026-04-01T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "ligeiro.archive.to=file:/tmp FolderFiles",
                "ligeiro.archive.to=s3://bucket/pix BucketFiles",
                "ligeiro.archive.to=s3://bucket BucketFiles",
                "ligeiro.archive.to=/var/archive ",
                "ligeiro.archive.to=s3:/bucket ",
                "ligeiro.archive.to=ftp://host/path ",
                "ligeiro.archive.to=file:/a^b ",
            })
    void theFilesAreInAFolderOrABucket(String setting, @Nullable String opened) {
        new ApplicationContextRunner()
                .withUserConfiguration(ArchiveConfiguration.class, Bound.class)
                .withPropertyValues(setting)
                .run(context -> {
                    if (opened == null) {
                        assertThat(context).hasFailed();
                        assertThat(context.getStartupFailure())
                                .hasRootCauseMessage(setting.replace('=', ':').replace("to:", "to: ")
                                        + " (expected: file:/folder or s3://bucket/prefix)");
                    } else {
                        assertThat(context.getBean(ArchiveFiles.class)
                                        .getClass()
                                        .getSimpleName())
                                .isEqualTo(opened);
                    }
                });
    }

    @Test
    void credentialsAreRefusedAndNotShown() {
        new ApplicationContextRunner()
                .withUserConfiguration(ArchiveConfiguration.class, Bound.class)
                .withPropertyValues("ligeiro.archive.to=s3://key:secret@bucket/pix")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("ligeiro.archive.to: with credentials")
                        .hasMessageNotContaining("secret"));
    }

    @Test
    void withoutADestinationNothingIsOpened() {
        new ApplicationContextRunner()
                .withUserConfiguration(ArchiveConfiguration.class, Bound.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ArchiveFiles.class));
    }

    @EnableConfigurationProperties(ArchiveProperties.class)
    private static final class Bound {}
}

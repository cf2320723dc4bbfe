package dev.ligeiro.processor.archive;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the folder or bucket, if there is one. */
@Configuration(proxyBeanMethods = false)
class ArchiveConfiguration {

    private static final String FOLDER = "file";
    private static final String BUCKET = "s3";

    @Bean
    @ConditionalOnProperty("ligeiro.archive.to")
    ArchiveFiles archiveFiles(ArchiveProperties properties) {
        URI to = uri(String.valueOf(properties.to()));
        if (FOLDER.equals(to.getScheme()) && to.getPath() != null && to.getAuthority() == null) {
            return new FolderFiles(Path.of(to.getPath()));
        }
        if (BUCKET.equals(to.getScheme())
                && to.getAuthority() != null
                && !to.getAuthority().contains("@")) {
            return new BucketFiles(to, properties.s3());
        }
        throw unexpected(to.toString());
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException malformed) {
            throw unexpected(text);
        }
    }

    private static IllegalArgumentException unexpected(String text) {
        return new IllegalArgumentException("ligeiro.archive.to: "
                + (text.contains("@") ? "with credentials" : text)
                + " (expected: file:/folder or s3://bucket/prefix)");
    }
}

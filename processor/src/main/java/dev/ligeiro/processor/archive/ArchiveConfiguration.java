package dev.ligeiro.processor.archive;

import java.net.URI;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the folder or bucket, if there is one. */
@Configuration(proxyBeanMethods = false)
class ArchiveConfiguration {

    private static final String FOLDER = "file";

    @Bean
    @ConditionalOnProperty("ligeiro.archive.to")
    ArchiveFiles archiveFiles(ArchiveProperties properties) {
        URI to = URI.create(String.valueOf(properties.to()));
        if (FOLDER.equals(to.getScheme()) && to.getPath() != null && to.getAuthority() == null) {
            return new FolderFiles(Path.of(to.getPath()));
        }
        throw new IllegalArgumentException("ligeiro.archive.to: " + to + " (expected: file:/path)");
    }
}

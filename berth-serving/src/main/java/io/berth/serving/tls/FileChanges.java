package io.berth.serving.tls;

import io.berth.api.handle.Log;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Calls back when files may have changed: after every change in their folders, and once a minute
/// in case that went unnoticed. The folders are watched rather than the files, because mounted
/// secrets are replaced by moving a link beside them.
///
/// The callback runs on a thread of its own and compares contents itself.
public final class FileChanges implements AutoCloseable {
    private static final Duration RECHECK = Duration.ofMinutes(1);

    private final Set<Path> folders;
    private final Runnable changed;
    private final Log log;
    private final Thread thread;
    private volatile @Nullable WatchService service;
    private volatile boolean closed;

    private FileChanges(Collection<Path> files, Runnable changed, Log log) {
        this.folders =
                files.stream()
                        .map(file -> file.toAbsolutePath().getParent())
                        .collect(Collectors.toSet());
        this.changed = changed;
        this.log = log;
        this.service = register();
        this.thread = Thread.ofPlatform().daemon().name("file-changes").unstarted(this::run);
    }

    public static FileChanges watch(Collection<Path> files, Runnable changed, Log log) {
        var watch = new FileChanges(files, changed, log);
        if (!watch.folders.isEmpty()) {
            watch.thread.start();
        }
        return watch;
    }

    private void run() {
        while (!closed) {
            try {
                await();
            } catch (InterruptedException | ClosedWatchServiceException stop) {
                return;
            }
            if (closed) {
                return;
            }
            try {
                changed.run();
            } catch (RuntimeException mistake) {
                log.error(mistake, "Reloading changed files failed");
            }
        }
    }

    /// Returns after a change, or when it is time to look anyway.
    private void await() throws InterruptedException {
        WatchService present = service;
        if (present == null) {
            Thread.sleep(RECHECK);
            service = register();
            return;
        }
        WatchKey first = present.poll(RECHECK.toSeconds(), TimeUnit.SECONDS);
        for (WatchKey key = first; key != null; key = present.poll()) {
            key.pollEvents();
            if (!key.reset()) {
                // The folder is gone; look for it anew.
                close(present);
                service = register();
                return;
            }
        }
    }

    private @Nullable WatchService register() {
        WatchService fresh = null;
        try {
            fresh = FileSystems.getDefault().newWatchService();
            for (Path folder : folders) {
                folder.register(
                        fresh,
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_MODIFY,
                        StandardWatchEventKinds.ENTRY_DELETE);
            }
            return fresh;
        } catch (IOException unwatchable) {
            log.error(unwatchable, "Failed to watch files, will retry later", "folders", folders);
            close(fresh);
            return null;
        }
    }

    private static void close(@Nullable WatchService service) {
        try {
            if (service != null) {
                service.close();
            }
        } catch (IOException alreadyUseless) {
            // It is given up either way.
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        close(service);
    }
}

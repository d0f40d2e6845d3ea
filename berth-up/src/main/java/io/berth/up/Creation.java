package io.berth.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ApiException;
import io.berth.kube.client.ApiRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Creates many objects, a bounded number at a time.
final class Creation {
    private static final int AT_ONCE = 32;
    private static final int CONFLICT = 409;

    private Creation() {}

    /// Creates all objects and returns when the last one exists. Begins them in order.
    ///
    /// @throws ApiException if one of them is refused
    static void create(ApiClient client, String path, List<ObjectNode> objects)
            throws InterruptedException {
        var slots = new Semaphore(AT_ONCE);
        var failed = new CompletableFuture<Void>();
        var executor = Executors.newVirtualThreadPerTaskExecutor();
        try {
            for (ObjectNode object : objects) {
                slots.acquire();
                if (failed.isDone()) {
                    break;
                }
                executor.execute(() -> {
                    try {
                        create(client, path, object);
                    } catch (RuntimeException problem) {
                        failed.completeExceptionally(problem);
                    } finally {
                        slots.release();
                    }
                });
            }
            slots.acquire(AT_ONCE);
        } catch (InterruptedException stop) {
            executor.shutdownNow();
            throw stop;
        } finally {
            executor.shutdown();
        }
        rethrow(failed);
    }

    /// Creates one object; an object that is already there is left as it is.
    static void create(ApiClient client, String path, ObjectNode object) {
        try {
            client.send(ApiRequest.create(path, Json.bytes(object)));
        } catch (ApiException refused) {
            if (refused.code() != CONFLICT) {
                throw refused;
            }
        }
    }

    private static void rethrow(CompletableFuture<Void> failed) throws InterruptedException {
        if (!failed.isDone()) {
            return;
        }
        try {
            failed.get();
        } catch (ExecutionException problem) {
            if (problem.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(problem);
        }
    }
}
